// Pictures side by side.

import type { Picture } from "@loopwright/mesh";

/** One picture of several of the same height and channels, from left to right. */
export function joinPictures(pictures: readonly Picture[]): Picture {
  const { height, channels } = pictures[0]!;
  const width = pictures.reduce((sum, picture) => sum + picture.width, 0);
  const data = new Uint8Array(width * height * channels);
  let left = 0;
  for (const picture of pictures) {
    const row = picture.width * channels;
    for (let y = 0; y < height; y++) {
      data.set(picture.data.subarray(y * row, (y + 1) * row), (y * width + left) * channels);
    }
    left += picture.width;
  }
  return { width, height, channels, data };
}
