"""Labels put together under wider names: 4 and 5 stars are positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from readhead.errors import InputError

NO_GROUP = -1


@dataclass(frozen=True, slots=True)
class LabelGroups:
    """Groups of labels, which an answer tells beside its label.

    A group's probability is that of its labels together, p(g) = Σ_{c in g} p_c / Σ_{c in any group} p_c: what labels
    outside all groups would have is no part of the question that groups answer.

    labels: all C of them, in the order of the logits.
    members: by group, some of them.

    Raises:
        InputError: fewer than two groups, one without a label, or a label that is unknown or in two groups.
    """

    labels: Sequence[str]
    members: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        if len(self.members) < 2:
            raise InputError(f"[task] groups: expected at least two groups of labels, found {len(self.members)}")
        placed: dict[str, str] = {}
        for group, members in self.members.items():
            if not members:
                raise InputError(f"[task] groups: '{group}' has no label; expected some of {', '.join(self.labels)}")
            for label in members:
                if label not in self.labels:
                    known = ", ".join(self.labels)
                    raise InputError(f"[task] groups: '{group}': no label '{label}'; expected some of {known}")
                if label in placed:
                    raise InputError(f"[task] groups: the label '{label}' is in '{placed[label]}' and in '{group}'")
                placed[label] = group

    @property
    def names(self) -> tuple[str, ...]:
        """G names, in their order."""
        return tuple(self.members)

    def probabilities(self, logits: Float[Tensor, "N C"]) -> Float[Tensor, "N G"]:
        """softmax_g(log Σ_{c in g} exp(logits_c)): a group's share of what all groups have. A row sums to 1.

        logits: after the temperature, in the precision that is wanted.
        """
        places = {label: place for place, label in enumerate(self.labels)}
        of_each = [[places[label] for label in members] for members in self.members.values()]
        return torch.stack([logits[:, columns].logsumexp(dim=1) for columns in of_each], dim=1).softmax(dim=1)  # [N, G]

    def of(self, labels: Int[Tensor, " N"]) -> Int[Tensor, " N"]:
        """[N], the place of each label's group; NO_GROUP where it is in none."""
        by_label = {label: place for place, members in enumerate(self.members.values()) for label in members}
        return torch.tensor([by_label.get(label, NO_GROUP) for label in self.labels])[labels]
