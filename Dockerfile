# heed's programs on Debian.
#
#   docker build --tag heed .                                        for CPUs
#   docker build --build-arg DEVICE=cuda --tag heed:cuda .           for NVIDIA GPUs: run it with --gpus all
#   docker run --rm --interactive --volume "$PWD:/work" heed translate --model models/en-de < text.en > text.de
ARG DEVICE=cpu

FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends dpkg-dev file git && rm -rf /var/lib/apt/lists/*
WORKDIR /heed
COPY . .
ARG DEVICE
ENV HEED_TORCH=$DEVICE
# A LibTorch for CUDA has gigabytes and is not in the package: the image has the folder that the programs were built with.
RUN [ "$DEVICE" = cpu ] || package_torch=OFF; cmake/bootstrap.sh release "-DHEED_PACKAGE_TORCH=${package_torch:-ON}"
WORKDIR /heed/build/release
RUN cpack -G DEB

FROM debian:bookworm-slim AS cpu
RUN --mount=type=bind,from=build,source=/heed/build/release,target=/packages \
  apt-get update && apt-get install --yes --no-install-recommends /packages/heed_*.deb && rm -rf /var/lib/apt/lists/*

FROM cpu AS cuda
COPY --from=build /heed/build/venv /heed/build/venv

# hadolint ignore=DL3006
FROM ${DEVICE}
WORKDIR /work
ENTRYPOINT ["heed"]
