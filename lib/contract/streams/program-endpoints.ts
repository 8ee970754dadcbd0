import { defineEndpoint } from '@/lib/contract/define-endpoint';
import { idParams } from '@/lib/contract/primitives';
import { switchBody } from './program';

/** Endpoint that puts a chosen input on air. */
export const switchStream = defineEndpoint({
  id: 'switchStream',
  method: 'POST',
  path: '/api/stream/{id}/switch',
  auth: 'key-or-session',
  corsKeyAllowed: false,
  tag: 'Streams',
  summary: 'Choose the input on air',
  description:
    'Puts the primary encoder, the standby encoder or the slate of a live stream on air: an encoder at its next keyframe, the slate immediately. The input stays on air until it fails or another one is chosen. 409 if the stream is not live, the encoder is not connected, or the slate is off.',
  params: idParams,
  body: switchBody,
  status: 204,
  errors: [400, [409, 'The stream is not live, this encoder is not connected, or the slate is off.']],
  example: { params: { id: 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10' }, body: { to: 'standby' } },
});

export const programEndpoints = [switchStream] as const;
