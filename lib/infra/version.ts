import manifest from '@/package.json' with { type: 'json' };

/** Version of this software, from package.json. */
export const { version } = manifest;
