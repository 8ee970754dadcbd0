/** Name of the unprocessed source in target references. */
export const sourceProfile = 'source';

/** Why this list of renditions is invalid (a reserved or repeated name), or null. */
export function profilesFault(profiles: readonly { readonly name: string }[]): string | null {
  const names = new Set<string>();
  for (const { name } of profiles) {
    if (name.toLowerCase() === sourceProfile) return `profile cannot be named "${name}"`;
    if (names.has(name)) return `duplicate profile name "${name}"`;
    names.add(name);
  }
  return null;
}

/** A request to send a rendition to a target: an existing one, or one to create. */
interface TargetRequest {
  readonly id?: string;
  readonly spec?: object;
  readonly profile: string;
}

/** Why these references are invalid (an unknown rendition or a repetition), or null. */
export function targetsFault(
  targets: readonly TargetRequest[],
  profiles: readonly { readonly name: string }[],
): string | null {
  const available = [sourceProfile, ...profiles.map(({ name }) => name)];
  const names = new Set<string>();
  for (const { id, spec, profile } of targets) {
    if ((id === undefined) === (spec === undefined)) {
      return 'multistream target must have either an "id" or a "spec"';
    }
    if (!available.includes(profile)) {
      return `multistream target profile not found: "${profile}". available: ${JSON.stringify(available)}`;
    }
    if (id === undefined) continue;
    const pair = JSON.stringify([id.toLowerCase(), profile]);
    if (names.has(pair)) return 'multistream target {id,profile} must be unique';
    names.add(pair);
  }
  return null;
}

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
