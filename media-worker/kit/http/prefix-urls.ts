/** The start of a line with a URI: one that is neither empty nor a tag or comment (`#`). */
const uriLineStart = /^(?=[^#\s])/gm;
/** The start of a `URI` attribute whose URL is relative, for example that of `EXT-X-MAP`. */
const relativeUriAttribute = /(URI=")(?!data:|https?:|\/)/g;

/**
 * Adds a prefix to the URLs of a playlist. URI lines must be relative; absolute URLs in `URI` attributes stay
 * unchanged.
 */
export const prefixUrls = (playlist: string, prefix: string): string =>
  playlist.replace(uriLineStart, prefix).replace(relativeUriAttribute, `$1${prefix}`);
