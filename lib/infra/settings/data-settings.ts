import { z } from 'zod';
import { filePath, wholeNumber } from './variable-types';

/** Where the service stores its data. */
export const dataVariables = {
  DATA_DIR: filePath.prefault('./data').describe('persistent data: database, recordings, secret'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' })
    .optional()
    .meta({
      defaultText: 'embedded PostgreSQL in `DATA_DIR`',
      description:
        '`postgres://` URL of your own server, version 15 or newer; the user must own the database',
    }),
  DATABASE_POOL_SIZE: wholeNumber('connections', { min: 4, max: 1_000 })
    .default(10)
    .describe(
      'connections that each process keeps for its own statements, at least 4 ([how many in total](#database-connections))',
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'a redis:// URL' })
    .optional()
    .meta({
      defaultText: 'PostgreSQL is used',
      description: '`redis://` URL for the job queue and the rate limits',
    }),
  APP_SECRET: z.string().min(32, { error: 'at least 32 characters' }).optional().meta({
    defaultText: 'generated in `DATA_DIR`',
    description:
      'at least 32 characters; encrypts keys and signs sign-in sessions. Without it, API keys and stream keys are lost',
  }),
};
