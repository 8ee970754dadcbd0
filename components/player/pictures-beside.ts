/** The pictures of an asset stand beside its playlist at the origin; nothing else has any. */
export function picturesBeside(src: string | null): { poster: string; storyboard: string } | null {
  const folder = /^(.*\/asset\/[a-z0-9]{16}\/)index\.m3u8$/.exec(src ?? '')?.[1];
  return folder === undefined
    ? null
    : { poster: `${folder}poster.jpg`, storyboard: `${folder}storyboard.vtt` };
}
