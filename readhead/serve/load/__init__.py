"""The service under load, measured from outside: a process that serves, clients on the same machine."""
