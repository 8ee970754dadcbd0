import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams, playbackId, timestamp } from '@/lib/contract/primitives';

const testPattern = z
  .object({
    running: z.boolean(),
    endsAt: timestamp.nullable().meta({ description: 'When it will stop. Null while it does not run.' }),
    preview: z.object({ playbackId, token: z.string() }).nullable().meta({
      description:
        'Playback id and token with which the team plays a preview. Null while viewers see the test pattern.',
    }),
    videoReceived: z.boolean().meta({ description: 'Whether the team has ever sent video to a stream.' }),
  })
  .meta({ id: 'TestPattern' });

export type TestPattern = z.output<typeof testPattern>;

export const getTestPattern = defineEndpoint({
  id: 'getTestPattern',
  method: 'GET',
  path: '/api/dashboard/streams/{id}/test-pattern',
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Retrieve the test pattern of a stream',
  description: 'Whether the built-in test pattern runs. It ends when an encoder publishes to the stream.',
  params: idParams,
  response: testPattern,
  status: 200,
  errors: [],
  example: {
    params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' },
    response: { running: true, endsAt: 1_767_227_400_000, preview: null, videoReceived: true },
  },
});

export const setTestPattern = defineEndpoint({
  id: 'setTestPattern',
  method: 'PUT',
  path: '/api/dashboard/streams/{id}/test-pattern',
  auth: 'session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Start or stop the test pattern',
  description:
    'Publishes a test pattern with a tone to the stream for up to 30 minutes, or until an encoder publishes. ' +
    'A preview is shown only to the team: the stream stays idle for viewers, no session is recorded, targets ' +
    'receive nothing, and no webhook is called.',
  params: idParams,
  body: z.strictObject({
    running: z.boolean().meta({ description: 'Whether the test pattern is published.' }),
    preview: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Whether only the team sees it. Default: false.' }),
  }),
  status: 204,
  errors: [[409, 'An encoder is publishing, or the stream is suspended or is a child-session object.']],
  example: { params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' }, body: { running: true } },
});

export const testPatternEndpoints = [getTestPattern, setTestPattern] as const;
