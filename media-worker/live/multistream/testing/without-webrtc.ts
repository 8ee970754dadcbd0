import type { WhipLink } from '@/media-worker/live/multistream/whip-attempt';
import { replyOfFinding } from '@/media-worker/live/multistream/whip-requests';

/** A machine without RTC_PORT. */
export const withoutWebrtc: WhipLink = {
  ask: () => Promise.resolve(replyOfFinding({ outcome: 'webrtc_off' })),
  url: () => 'http://127.0.0.1:1',
};
