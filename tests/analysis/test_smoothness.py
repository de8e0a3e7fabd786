"""Eq. (8.37): the dual objective is the norm of a regularised function."""

from math import factorial

import numpy as np
import pytest

from nestviz import NuOneClassSVM, OneClassPath, make_sample
from nestviz.analysis import smoothness_curve

SIGMA = 0.7


@pytest.fixture(scope="module")
def line():
    """Twelve points on a line, and the ν one-class SVM of them."""
    x = np.random.default_rng(4).normal(size=12)
    return x, NuOneClassSVM(SIGMA, 0.4, tol=1e-12).fit(x[:, None])


def values(line):
    """f on a fine lattice that ends where f is zero."""
    x, model = line
    step = 1e-2
    at = np.arange(-14.0, 14.0, step)
    return model.alpha_[0] @ np.exp(-0.5 * ((at - x[:, None]) / SIGMA) ** 2), step


def test_the_dual_objective_is_the_norm_in_fourier_form(line):
    """‖Υf‖² = 1/2π ∫ |f̂(ω)|² / k̂(ω) dω with k̂(ω) = σ √2π exp(−σ²ω²/2)."""
    f, step = values(line)
    transform = step * np.fft.fft(f)
    omega = 2 * np.pi * np.fft.fftfreq(f.size, step)
    # Beyond, the transform of the lattice is rounding, and 1/k̂ is huge.
    seen = np.abs(omega) * SIGMA < 5.0
    kernel = SIGMA * np.sqrt(2 * np.pi) * np.exp(-0.5 * (SIGMA * omega[seen]) ** 2)
    width = 2 * np.pi / (f.size * step)
    norm = width / (2 * np.pi) * (np.abs(transform[seen]) ** 2 / kernel).sum()
    assert norm == pytest.approx(2 * line[1].objective_, rel=1e-5)


def test_the_same_norm_by_derivatives(line):
    """‖Υf‖² = 1/(σ √2π) Σ_n σ²ⁿ/(n! 2ⁿ) ∫ (dⁿf/dxⁿ)² dx."""
    from numpy.polynomial.hermite_e import hermeval

    x, model = line
    at = np.arange(-14.0, 14.0, 1e-2)
    u = (at - x[:, None]) / SIGMA
    total = 0.0
    for n in range(60):
        # The nth derivative of a Gaussian is a Hermite polynomial times the Gaussian.
        one = np.zeros(n + 1)
        one[n] = (-1.0 / SIGMA) ** n
        derivative = model.alpha_[0] @ (hermeval(u, one) * np.exp(-0.5 * u**2))
        total += SIGMA ** (2 * n) / (factorial(n) * 2.0**n) * (derivative**2).sum() * 1e-2
    assert total / (SIGMA * np.sqrt(2 * np.pi)) == pytest.approx(2 * model.objective_, rel=1e-3)


def test_the_curve_is_that_of_single_solutions():
    X = make_sample("banana", 0, n=60).X
    nus = [0.1, 0.35, 0.8, 1.0]
    curve = smoothness_curve(OneClassPath(1.0).fit(X), nus)
    for nu, norm, rho in zip(nus, curve.norms, curve.offsets, strict=True):
        model = NuOneClassSVM(1.0, nu, tol=1e-10).fit(X)
        assert norm == pytest.approx(2 * model.objective_, rel=1e-7)
        if nu < 1:
            assert rho == pytest.approx(model.rho_, rel=1e-6)


def test_less_freedom_is_less_smooth():
    X = make_sample("multi", 0, n=80).X
    norms = smoothness_curve(OneClassPath(0.5).fit(X), np.linspace(0.02, 1.0, 30)).norms
    assert (np.diff(norms) >= -1e-12).all()
