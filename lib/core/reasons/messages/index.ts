import { accounts } from '@/lib/core/reasons/messages/accounts';
import { assets } from '@/lib/core/reasons/messages/assets';
import { inputs } from '@/lib/core/reasons/messages/inputs';
import { media } from '@/lib/core/reasons/messages/media';
import { network } from '@/lib/core/reasons/messages/network';
import { streams } from '@/lib/core/reasons/messages/streams';
import { viewing } from '@/lib/core/reasons/messages/viewing';
import { webrtc } from '@/lib/core/reasons/messages/webrtc';

/** All error messages of the service, by code. */
export const errorMessages = {
  ...inputs,
  ...accounts,
  ...viewing,
  ...assets,
  ...media,
  ...network,
  ...streams,
  ...webrtc,
} as const;

export type ReasonCode = keyof typeof errorMessages;
