import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { PlaybackReportView } from '@/components/audience/playback-report';
import { Wordmark } from '@/components/ui/mark';
import { explainReport, readPlaybackReport } from '@/lib/domain/audience';
import { getSessionContext } from '@/lib/http/sessions/session-user';
import { getServices } from '@/lib/http/services';

export const dynamic = 'force-dynamic';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('audience.report');
  return { title: t('title'), robots: { index: false, follow: false }, referrer: 'no-referrer' };
}

/** The report of one view for anyone with the link; members of the team also see why viewers stalled at that time. */
export default async function ReportPage({ params }: { params: Promise<{ id: string }> }) {
  const { db, clock, log, secrets, settings } = getServices();
  const visitorContext = { actor: { kind: 'anonymous' } as const, db, clock, log, secrets, settings };
  const report = await readPlaybackReport(visitorContext, (await params).id);
  const signedInContext = report && (await getSessionContext());
  const incidents = report && signedInContext ? await explainReport(signedInContext, report) : [];
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-3xl grid-rows-[1fr_auto] gap-8 px-4 py-6 sm:px-6 sm:py-10">
      <main className="grid content-start gap-6">
        {report ? <PlaybackReportView report={report} incidents={incidents} /> : <ExpiredReport />}
      </main>
      <footer className="text-ink-2 text-sm">
        <Wordmark small />
      </footer>
    </div>
  );
}

async function ExpiredReport() {
  const t = await getTranslations('audience.report');
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('expired')}</h1>
      <p className="text-ink-2">{t('expiredText')}</p>
    </>
  );
}
