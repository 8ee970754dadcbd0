const line = /^(?=[^#\s])/gm;
const attribute = /(URI=")(?!data:|https?:|\/)/g;

/** A playlist with a prefix before its relative addresses. */
export const prefixAddresses = (playlist: string, prefix: string): string =>
  playlist.replace(line, prefix).replace(attribute, `$1${prefix}`);
