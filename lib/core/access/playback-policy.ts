/** Who may watch; `public` needs nothing but the playback id. */
export const playbackPolicyTypes = ['public', 'jwt', 'webhook', 'password'] as const;
