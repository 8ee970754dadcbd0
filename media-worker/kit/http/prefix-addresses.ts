const line = /^(?=[^#\s])/gm;
const attribute = /(URI=")(?!data:|https?:|\/)/g;

/** A playlist whose relative addresses start with the prefix. */
export const prefixAddresses = (playlist: string, prefix: string): string =>
  playlist.replace(line, prefix).replace(attribute, `$1${prefix}`);
