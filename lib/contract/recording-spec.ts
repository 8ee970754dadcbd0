import { z } from 'zod';
import { profiles } from './profile';

/** How sessions are recorded. */
export const recordingSpec = z
  .strictObject({
    profiles: profiles.exactOptional().meta({
      description:
        'The renditions to record besides the source, by name. Default: all. `issues` reports names that match no profile.',
    }),
  })
  .meta({ id: 'RecordingSpec', description: 'Only together with `record`: true.' });

export type RecordingSpec = z.output<typeof recordingSpec>;
