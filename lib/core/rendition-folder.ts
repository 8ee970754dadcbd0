/**
 * A rendition's name as one path segment of HLS addresses and storage keys. Letters, digits, `_` and `-` of ASCII stay;
 * of everything else each UTF-8 byte becomes `~` and two hex digits, so that two names never share a folder and
 * nothing in it has a meaning to a URL or a file system.
 * @param name without lone surrogates, as the contract demands
 */
export function renditionFolder(name: string): string {
  return encodeURIComponent(name)
    .replace(/[.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '~');
}
