"""[optimizer]: the optimisers that recipes name. OPTIMIZERS lists them.

`l2` is not asked of word vectors. Of a large table a step sees few rows; the others have no gradient but the penalty's,
which an adaptive step makes as large as any, and within an epoch they would be gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readhead.plans import above, at_least, below

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

OPTIMIZERS = {
    "adagrad": "readhead.optimizers:Adagrad",
    "adam": "readhead.optimizers:Adam",
    "sgd": "readhead.optimizers:SGD",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Adagrad:
    """Adagrad (Duchi et al. 2011).

    learning_rate: the step's size before the accumulator divides it.
    initial_accumulator: the squared gradients' sum before the first step.
    l2: this times the weight is added to its gradient; of word vectors, to none.
    """

    learning_rate: float = 0.05
    initial_accumulator: float = 0.1
    l2: float = 0.0

    def __post_init__(self) -> None:
        above("optimizer", 0, learning_rate=self.learning_rate)
        at_least("optimizer", 0, initial_accumulator=self.initial_accumulator, l2=self.l2)

    def over(self, weights: Sequence[Tensor], word_vectors: Sequence[Tensor] = ()) -> Optimizer:
        """The optimiser over a model's parameters."""
        from torch.optim import Adagrad as TorchAdagrad

        return TorchAdagrad(
            _groups(weights, word_vectors, self.l2),
            lr=self.learning_rate,
            initial_accumulator_value=self.initial_accumulator,
            fused=_on_cpu([*weights, *word_vectors]) or None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Adam:
    """Adam (Kingma & Ba 2015).

    learning_rate: the step's size.
    beta1, beta2: decay of the gradient's running mean and running square.
    l2: this times the weight is added to its gradient; of word vectors, to none.
    """

    learning_rate: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    l2: float = 0.0

    def __post_init__(self) -> None:
        above("optimizer", 0, learning_rate=self.learning_rate)
        at_least("optimizer", 0, beta1=self.beta1, beta2=self.beta2, l2=self.l2)
        below("optimizer", 1, beta1=self.beta1, beta2=self.beta2)

    def over(self, weights: Sequence[Tensor], word_vectors: Sequence[Tensor] = ()) -> Optimizer:
        """The optimiser over a model's parameters."""
        from torch.optim import Adam as TorchAdam

        return TorchAdam(
            _groups(weights, word_vectors, self.l2),
            lr=self.learning_rate,
            betas=(self.beta1, self.beta2),
            fused=_on_cpu([*weights, *word_vectors]) or None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SGD:
    """Stochastic gradient descent.

    learning_rate: the step's size.
    momentum: decay of the running step.
    l2: this times the weight is added to its gradient; of word vectors, to none.
    """

    learning_rate: float = 0.1
    momentum: float = 0.0
    l2: float = 0.0

    def __post_init__(self) -> None:
        above("optimizer", 0, learning_rate=self.learning_rate)
        at_least("optimizer", 0, momentum=self.momentum, l2=self.l2)

    def over(self, weights: Sequence[Tensor], word_vectors: Sequence[Tensor] = ()) -> Optimizer:
        """The optimiser over a model's parameters."""
        from torch.optim import SGD as TorchSGD

        return TorchSGD(
            _groups(weights, word_vectors, self.l2), lr=self.learning_rate, momentum=self.momentum, foreach=True
        )


def _groups(weights: Sequence[Tensor], word_vectors: Sequence[Tensor], l2: float) -> list[dict[str, Any]]:
    groups = [{"params": list(weights), "weight_decay": l2}, {"params": list(word_vectors), "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


def _on_cpu(weights: Sequence[Tensor]) -> bool:
    """Where one fused pass over all weights takes a third of the time of one pass an operation."""
    return all(weight.device.type == "cpu" for weight in weights)
