"""What a forward pass of GrokFormer multiplies, and what it reads."""


def multiply_adds(
    N: int,
    F: int,
    H: int,
    C: int,
    *,
    K: int,
    M: int,
    heads: int,
    num_layers: int,
    reading: str,
) -> dict[str, int]:
    r"""Multiply-adds of the matrix products in one forward pass.

    .. math:: N F H + N H c + B \bigl( 4 N c\, v + 2 N v\, w
       + 2 N^2 c + N (1 + 2 K M) + 2 N c^2 \bigr) + N c\, C

    with the width c of the layers, the width v of queries, keys and values,
    and the width w of a head. Derived in chapter 08. For dense features
    and all N eigenvectors; normalisation and activations, some N c each,
    are left out, and so are the harmonics, which are computed once.

    Args:
        N, F, H, C: nodes, features, hidden channels, classes.
        K, M, heads, num_layers: as in `GrokFormer`.
        reading: "paper" (its attention "efficient") or "released".

    Examples:
        >>> sizes = {"K": 2, "M": 8, "heads": 2, "num_layers": 1}
        >>> multiply_adds(100, 20, 8, 3, reading="paper", **sizes)["filter"]
        163300
    """
    released = reading == "released"
    c = C if released else H  # width of the layers
    v = heads * c if released else c  # width of Q, K and V
    w = v if released else v // heads  # width of a head
    layer = {
        "attention": 4 * N * c * v + 2 * N * v * w,
        "filter": 2 * N * N * c + N * (1 + 2 * K * M),
        "feed-forward": 2 * N * c * c,
    }
    return {
        "embedding": N * F * H + N * H * c,
        **{part: num_layers * count for part, count in layer.items()},
        "scores": 0 if released else N * c * C,
    }


def filter_work(
    N: int, q: int, c: int, bytes_each: int = 4
) -> tuple[int, int]:
    r"""Operations and bytes of one filter step with q eigenvectors.

    .. math:: Y = U \operatorname{diag}(h)\, U^\top X, \qquad
       \text{operations} = 4 N q c + q c, \qquad
       \text{bytes} = b\,(2 N q + 2 N c + q)

    A multiply-add is two operations. U is read twice, X read and Y written
    once, h read; what lies between stays in the cache. Derived in
    chapter 13.

    Args:
        N, q, c: nodes, eigenvectors and columns of X.
        bytes_each: b, of a number; 4 in float32.

    Examples:
        >>> filter_work(3, 3, 1)
        (39, 108)
    """
    operations = 4 * N * q * c + q * c
    read = bytes_each * (2 * N * q + 2 * N * c + q)
    return operations, read


def least_seconds(
    work: tuple[int, int], gemm: float, memory: float
) -> tuple[float, str]:
    """The time that no code can beat, and what bounds it.

    Args:
        work: operations and bytes.
        gemm: operations a second.
        memory: bytes a second.

    Examples:
        >>> least_seconds((100, 10), gemm=50.0, memory=20.0)
        (2.0, 'arithmetic')
    """
    compute, read = work[0] / gemm, work[1] / memory
    bound = "arithmetic" if compute > read else "reading"
    return max(compute, read), bound
