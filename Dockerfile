# heed's programs on Debian.
#
#   docker build --tag heed .
#   docker run --rm --interactive --volume "$PWD:/work" heed translate --model models/en-de < text.en > text.de
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends dpkg-dev file git && rm -rf /var/lib/apt/lists/*
WORKDIR /heed
COPY . .
RUN cmake/bootstrap.sh release
WORKDIR /heed/build/release
RUN cpack -G DEB

FROM debian:bookworm-slim
COPY --from=build /heed/build/release/heed_*.deb /tmp/
RUN apt-get update && apt-get install --yes --no-install-recommends /tmp/heed_*.deb && rm -rf /var/lib/apt/lists/* /tmp/heed_*.deb
WORKDIR /work
ENTRYPOINT ["heed"]
