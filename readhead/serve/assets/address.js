// What is asked, in the address's fragment: a link to it shares it, and none of it goes to a server on the way.

const LONGEST = 30_000; // characters of an address that other programs still take

/** The fragment's entries, by name. */
export const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Puts entries into the fragment, without a step in the browser's history. Returns whether they fit. */
export const write = (entries) => {
  const fragment = `#${new URLSearchParams(entries)}`;
  const fits = fragment.length <= LONGEST;
  history.replaceState(null, "", fits ? fragment : `#${new URLSearchParams({ model: entries.model })}`);
  return fits;
};
