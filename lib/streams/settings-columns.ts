import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { updateStream } from '@/lib/contract/stream-endpoints';
import { Prisma } from '@/lib/generated/prisma/client';

/** The columns that a body names, for creation and change alike; those of targets are in stream-targets.ts. */
export function settingsColumns(body: BodyOf<typeof updateStream>) {
  const { name, record, suspended, profiles, creatorId, userTags, playbackPolicy, recordingSpec } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(record === undefined ? {} : { record }),
    ...(suspended === undefined ? {} : { suspended }),
    // null is the same as left out.
    ...(profiles ? { profiles } : {}),
    ...(creatorId === undefined ? {} : { creatorId: creatorId.value }),
    ...(userTags === undefined ? {} : { userTags }),
    ...(playbackPolicy === undefined ? {} : { playbackPolicy: playbackPolicy ?? Prisma.DbNull }),
    ...(recordingSpec === undefined ? {} : { recordingSpec: recordingSpec ?? Prisma.DbNull }),
  };
}
