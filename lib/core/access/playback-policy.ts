/** Who may watch; `public` needs nothing but the playback id. */
export const playbackPolicyTypes = ['public', 'jwt', 'webhook', 'password'] as const;

interface PlaybackPolicy {
  readonly type: (typeof playbackPolicyTypes)[number];
  readonly allowedOrigins?: readonly string[];
}

/** Whether a viewer has to show something, or come from somewhere. */
export function isGated({ type, allowedOrigins = [] }: PlaybackPolicy): boolean {
  return type !== 'public' || !anyOrigin(allowedOrigins);
}

const anyOrigin = (allowed: readonly string[]): boolean => allowed.length === 0 || allowed.includes('*');
