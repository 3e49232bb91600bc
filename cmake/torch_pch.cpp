// Carries the precompiled header that every target with tensors reuses.
