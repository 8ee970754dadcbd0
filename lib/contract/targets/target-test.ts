import { z } from 'zod';
import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { targetTestOutcomes } from '@/lib/core/targets/target-finding';
import { targetSpec } from './multistream';
import { reason } from '@/lib/contract/reason';

const targetTest = z
  .object({
    outcome: z.enum(targetTestOutcomes).meta({
      description:
        'accepted: the service accepts the stream. Every other value says why it does not. name_not_found: the host name is unknown or has no public IP address.',
    }),
    message: z.string().meta({
      description: 'The result and, if the test failed, what to do. Does not contain the stream key.',
    }),
    reason: reason.exactOptional(),
  })
  .meta({ id: 'TargetTest' });

export type TargetTest = z.output<typeof targetTest>;

const commonFields = {
  method: 'POST',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Multistream',
  response: targetTest,
  rateLimit: 'target-test',
  status: 200,
  errors: [
    [409, 'A stream sends to the target, or another test of the team is running.'],
    [503, 'No process that can connect to the target responds; see Retry-After.'],
  ],
} as const;

const testDescription =
  'Connects, asks to publish and disconnects without sending media, within 10 seconds. Returns 409 while a stream sends to the target, because a second publisher could interrupt it, and while another test of the team is running.';

const exampleTest = {
  outcome: 'accepted',
  message: 'live.example.com accepted the stream key. Some services check it again when video arrives.',
};

export const testTarget = defineEndpoint({
  ...commonFields,
  id: 'testMultistreamTarget',
  path: '/api/multistream/target/{id}/test',
  summary: 'Test a multistream target',
  description: testDescription,
  params: idParams,
  example: { params: { id: '9d2f6a41-5c0e-4b7b-8f3e-6a1d0c9b7e55' }, response: exampleTest },
});

export const testTargetUrl = defineEndpoint({
  ...commonFields,
  id: 'testMultistreamTargetUrl',
  path: '/api/multistream/target/test',
  summary: 'Test the URL of a multistream target',
  description: `${testDescription} The URL is not saved.`,
  body: targetSpec.pick({ url: true }),
  example: { body: { url: 'rtmp://live.example.com/app/your-key' }, response: exampleTest },
});

export const targetTestEndpoints = [testTargetUrl, testTarget] as const;
