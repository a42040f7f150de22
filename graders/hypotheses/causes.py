"""The closed list of likely causes; what is said of each is in `feedback`."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """Why an output may differ. A cause is a guess by evidence; where none is good enough there is none."""

    TRANSPOSED = "transposed"
    PERMUTED = "permuted"
    SCALED = "scaled"
    SHIFTED = "shifted_by_constant"
    SIGN = "sign"
    POWER = "power"
    LOG_OR_EXP = "log_or_exp"
    OTHER_AXIS_SOFTMAX = "other_axis_softmax"
    OTHER_AXIS_NORMALISED = "other_axis_normalised"
    NOT_NORMALISED = "not_normalised"
    MEAN_FOR_SUM = "mean_for_sum"
    BIASED = "biased_for_unbiased"
    ROLLED = "rolled"
    ROWS_REORDERED = "rows_reordered"
    HEADS_REORDERED = "heads_reordered"
    MASK_MISSING = "mask_missing"
    MASK_INVERTED = "mask_inverted"
    MASK_OFF_BY_ONE = "mask_off_by_one"
    EPS_MISSING = "eps_missing"
    HALF_PRECISION = "half_precision"
    ROUNDED = "rounded"
    INPUT_RETURNED = "input_returned"
    LOGITS = "logits_for_probabilities"
    BROADCAST = "wrong_rank_broadcast"
    NUMPY_OR_LIST = "numpy_or_list"
    VISIBLE_ONLY = "visible_only"
    RESIDUAL_MISSING = "residual_missing"
    WRONG_DTYPE = "wrong_dtype"
    HARD_CODED = "hard_coded"
    UNINITIALISED = "uninitialised"
    NO_RESULT = "no_result"
    KERNEL_REVERSED = "kernel_reversed"
    OTHER_PAIRS = "other_pairs"
    ROLES_SWAPPED = "roles_swapped"
