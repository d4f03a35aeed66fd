"""The parts of the mixture of sentence pairs that have addresses of their own: files of public repositories.

Each address names a commit, so what lies there never changes; the checksums are those of the commit's files.
"""

from __future__ import annotations

from collections.abc import Mapping

from readhead.data.source import Download, Source


def _downloads(root: str, folder: str, ending: str, sums: Mapping[str, str]) -> tuple[Download, ...]:
    """sums: by path below the address `root`, without its ending, the SHA-256; a folder there is a folder here."""
    return tuple(
        Download(url=f"{root}/{path}{ending}", place=f"{folder}/{path}{ending}", sha256=sha256)
        for path, sha256 in sums.items()
    )


_LINGNLI = {
    "1_Baseline_protocol/train_round1_baseline": "15dfe29be94528af709a09fb92900727a391e4d5494af14438e245db12717500",
    "1_Baseline_protocol/train_round2_baseline": "a2b2fb9c1082afbefc84a4ae106d8f3704f7247188dd41ad79af33ba00a3133f",
    "1_Baseline_protocol/train_round3_baseline": "4b3f340c354d8b77e13a60245f969651bb813dcf398cded1d40bd9eefbcde319",
    "1_Baseline_protocol/train_round4_baseline": "c5ec404daaf915d5b80074a2f6f3afa3f9dce49b81105091cd6d637ecdddaae9",
    "1_Baseline_protocol/train_round5_baseline": "eb8338fbc260fc149567d1f1a90a6da8611d9425c81fd34c35286af4785190e5",
    "2_Ling_on_side_protocol/train_round1_LotS": "a555a591829849c898ce22e4ec0c9d2cb7e4ced92e04d0b0c69b07b746b35e63",
    "2_Ling_on_side_protocol/train_round2_LotS": "24cd463d52bf849575c82ce606b48c6ccfc4eac80e5ece751f25ef47bc704cd0",
    "2_Ling_on_side_protocol/train_round3_LotS": "868e754e73aaa7776f65add6e9a210439c6a493d116bfa90b975c3de53075f50",
    "2_Ling_on_side_protocol/train_round4_LotS": "30df2886d7c0a15309aff94d8381ec78de03420aa9b777e1bc91b8382eaba6ea",
    "2_Ling_on_side_protocol/train_round5_LotS": "9cc4b3134520cf9189bdaf418c08b7a68d649de97a5277ad952baa0ada00e1af",
    "3_Ling_in_loop_protocol/train_round1_LitL": "b2454f9117d53a5ae9f2c8e7fe9d6bfa5ee5e1aece98469eb5b655be6827d0af",
    "3_Ling_in_loop_protocol/train_round2_LitL": "5585fd5100b31a28130bcb030911af92f6f61d2f8f32048dec5e1bfeafbf26fc",
    "3_Ling_in_loop_protocol/train_round3_LitL": "40e78d51ff7b0570ff55799847e7350877f49b035314211de13db61daeae78cf",
    "3_Ling_in_loop_protocol/train_round4_LitL": "20405a00ce1f632340602f2d767d2f9096bee5bb01ce23c3d0df01166a4df095",
    "3_Ling_in_loop_protocol/train_round5_LitL": "12a445616a74023a9f1ee397d2959adb87cbe1d95895214c8c97ae16071fcee7",
}
_SEMI_AUTOMATIC = {
    "base_news/train": "cc4c2d916665c6259594373aa74b78396ee6debb49dc65987c823c9b0f155ed5",
    "base_wiki/train": "83de83170fc1b05af72db18bee800abf0b3d1e9fe21788a1064ad78d69c24e07",
    "sim_news/train": "a48a73613703c713c71904ed699b88d2b166e990a0d8664ad28c86578705b6af",
    "sim_wiki/train": "b950b90608ef15fc4c3b627af0c4aa9e44c45e025a5c528c19509a9e21fbb19d",
    "translate_wiki/train": "2b348930e68070df5eba49bc7ac92d0d2fe061e539885b9258f7649d9e189541",
}
_CAD = {"revised_combined/train": "054a8cf808bcd4a5b3a849eba4e6c1fb49f2f789e3a0f88d21e05f3f38fa5428"}

MIXTURE_PARTS: Mapping[str, Source] = {
    "lingnli": Source(
        title="LingNLI, sentence pairs written with and without a linguist in the loop, 44,983 to train on",
        page="https://github.com/Alicia-Parrish/ling_in_loop",
        downloads=_downloads(
            "https://raw.githubusercontent.com/Alicia-Parrish/ling_in_loop/9def304e19161efa3a3959349021e6a7860b0afe/"
            "NLI_data",
            "lingnli",
            ".jsonl",
            _LINGNLI,
        ),
        licence="none stated; its premises are MultiNLI's",
        citation=(
            "Parrish and others (2021), Does Putting a Linguist in the Loop Improve NLU Data Collection?, "
            "Findings of EMNLP"
        ),
        note="a part of nli-mixture; keys label, premise and hypothesis",
    ),
    "semi-automatic": Source(
        title="Semi-automatic NLI, pairs of similar sentences found by machine, 24,464 to train on",
        page="https://github.com/nyu-mll/semi-automatic-nli",
        downloads=_downloads(
            "https://raw.githubusercontent.com/nyu-mll/semi-automatic-nli/853c480133141f1b737744dc7d6e2db2686578bb/data",
            "semi-automatic",
            ".jsonl",
            _SEMI_AUTOMATIC,
        ),
        licence="mixed: Wikipedia's sentences CC BY-SA 3.0, those of news under the LDC User Agreement (Gigaword)",
        citation=(
            "Vania, Chen and Bowman (2020), Asking Crowdworkers to Write Entailment Examples: "
            "The Best of Bad Options, AACL-IJCNLP"
        ),
        note="a part of nli-mixture",
    ),
    "cad": Source(
        title="Counterfactually augmented NLI, the revised pairs, 6,664 to train on",
        page="https://github.com/acmi-lab/counterfactually-augmented-data",
        downloads=_downloads(
            "https://raw.githubusercontent.com/acmi-lab/counterfactually-augmented-data/"
            "6f232a1d2a11462a30ce08fb4825b734ab30828e/NLI",
            "cad",
            ".tsv",
            _CAD,
        ),
        licence="Apache License 2.0; made from SNLI, which is CC BY-SA 4.0",
        citation=(
            "Kaushik, Hovy and Lipton (2020), "
            "Learning the Difference that Makes a Difference with Counterfactually-Augmented Data, ICLR"
        ),
        note="a part of nli-mixture; columns sentence1, sentence2 and gold_label",
    ),
}
"""By the name that `readhead data` takes, which is also what the mixture's `source` says."""
