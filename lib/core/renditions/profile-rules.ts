/** Name of the source in references to multistream targets. No profile may have this name. */
export const sourceProfile = 'source';

/** Why a list of profiles is invalid, because of a reserved or repeated name; null if valid. */
export function profilesFault(profiles: readonly { readonly name: string }[]): string | null {
  const names = new Set<string>();
  for (const { name } of profiles) {
    if (name.toLowerCase() === sourceProfile) return `profile cannot be named "${name}"`;
    if (names.has(name)) return `duplicate profile name "${name}"`;
    names.add(name);
  }
  return null;
}

/** A reference to a multistream target in a request: a profile with an existing or a new target. */
interface TargetRequest {
  readonly id?: string;
  readonly spec?: object;
  readonly profile: string;
}

/** Why references to multistream targets are invalid, because of an unknown profile or a repetition; null if valid. */
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
 * Encodes the name of a rendition as one path segment of HLS URLs and storage keys. ASCII letters, digits, `_` and `-` are
 * kept; every other UTF-8 byte becomes `~` and two hex digits, so that two names never have the same folder, and no
 * character has a special meaning in a URL or a file system.
 * @param name name without lone surrogates, which the API rejects
 */
export function renditionFolder(name: string): string {
  return encodeURIComponent(name)
    .replace(/[.!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '~');
}
