/** Name that stands for the unprocessed source in target references (specification §2.1). */
export const sourceProfile = 'source';

/** Why this list of renditions cannot be: a reserved or repeated name; null when it can (api-contract §2.2). */
export function profilesFault(profiles: readonly { readonly name: string }[]): string | null {
  const names = new Set<string>();
  for (const { name } of profiles) {
    if (name.toLowerCase() === sourceProfile) return `profile cannot be named "${name}"`;
    if (names.has(name)) return `duplicate profile name "${name}"`;
    names.add(name);
  }
  return null;
}

/** Why these references cannot be, beside the targets themselves: unknown rendition or repetition. */
export function targetsFault(
  targets: readonly { readonly id: string; readonly profile: string }[],
  profiles: readonly { readonly name: string }[],
): string | null {
  const available = [sourceProfile, ...profiles.map(({ name }) => name)];
  const seen = new Set<string>();
  for (const { id, profile } of targets) {
    if (!available.includes(profile)) {
      return `multistream target profile not found: "${profile}". available: ${JSON.stringify(available)}`;
    }
    const pair = JSON.stringify([id.toLowerCase(), profile]);
    if (seen.has(pair)) return 'multistream target {id,profile} must be unique';
    seen.add(pair);
  }
  return null;
}
