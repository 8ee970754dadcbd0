import Link from 'next/link';
import { Fact, FactId, Facts, Panel } from '@/components/ui/panel';
import { durationInWords, sizeInWords } from '@/components/ui/time-words';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Session } from '@/lib/contract/sessions/session';

const linkLooks = 'text-accent-ink rounded-sm underline-offset-4 hover:underline';

interface SessionFactsProps {
  session: Session;
  /** The asset made of the recording, once it is known. */
  assetId: string | undefined;
}

export function SessionFacts({ session, assetId }: SessionFactsProps) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Stream">
          <Link href={`/streams/${session.parentId}`} className={linkLooks}>
            {session.name}
          </Link>
        </Fact>
        {assetId !== undefined && (
          <Fact name="Asset">
            <Link href={`/assets/${assetId}`} className={linkLooks}>
              Open the asset
            </Link>
          </Fact>
        )}
        <Fact name="Session ID">
          <FactId value={session.id} label="session ID" />
        </Fact>
        <Fact name="Started">
          <RelativeTime at={session.createdAt} />
        </Fact>
        <Fact name="Last video">
          <RelativeTime at={session.lastSeen} />
        </Fact>
        <Fact name="Duration">{durationInWords(session.sourceSegmentsDuration)}</Fact>
        <Fact name="Received">{sizeInWords(session.sourceBytes)}</Fact>
        <Fact name="Renditions">
          {session.profiles.length === 0
            ? 'Source only'
            : session.profiles.map(({ name }) => name).join(', ')}
        </Fact>
      </Facts>
    </Panel>
  );
}
