import { z } from 'zod';
import { profiles } from './profile';

/** How sessions are recorded. */
export const recordingSpec = z
  .strictObject({
    profiles: profiles.exactOptional().meta({
      description:
        'Which renditions of the stream are kept besides the source, by name; all when left out. A name that is none of its profiles is said in `issues`.',
    }),
  })
  .meta({ id: 'RecordingSpec', description: 'Only together with `record`: true.' });

export type RecordingSpec = z.output<typeof recordingSpec>;
