import manifest from '@/package.json' with { type: 'json' };

/** Of this software. */
export const { version } = manifest;
