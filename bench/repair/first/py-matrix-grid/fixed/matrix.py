def zeros(rows, cols):
    return [[0] * cols for _ in range(rows)]


def identity(n):
    m = zeros(n, n)
    for i in range(n):
        m[i][i] = 1
    return m


def shape(m):
    return len(m), len(m[0])


def multiply(a, b):
    n, k = shape(a)
    k2, p = shape(b)
    if k != k2:
        raise ValueError(f"cannot multiply {n}x{k} by {k2}x{p}")
    out = zeros(n, p)
    for i in range(n):
        for j in range(p):
            out[i][j] = sum(a[i][t] * b[t][j] for t in range(k))
    return out


def transpose(m):
    return [list(col) for col in zip(*m)]


def power(m, n):
    """m to the n-th power, by repeated squaring."""
    result = identity(len(m))
    while n:
        if n & 1:
            result = multiply(result, m)
        m = multiply(m, m)
        n >>= 1
    return result


def trace(m):
    return sum(m[i][i] for i in range(len(m)))
