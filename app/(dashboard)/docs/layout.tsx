import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { taskGuides } from '@/components/docs/guides/task-guides';
import { createNavigation } from '@/components/docs/navigation-list';
import { ReferenceNav } from '@/components/docs/reference-nav';
import { sampleLanguageCookie } from '@/components/docs/request/reader-language';
import { ReaderProvider } from '@/components/docs/request/reader';
import { isSampleLanguage } from '@/components/docs/samples/samples';
import { getSessionUser } from '@/lib/http/sessions/session-user';
import { readReference } from './read-reference';
import { VisitorFrame } from './visitor-frame';

/** The docs are public; signed-in users see them inside the dashboard. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const user = await getSessionUser();
  const reference = await readReference();
  const language = (await cookies()).get(sampleLanguageCookie)?.value;
  const page = (
    <ReaderProvider
      account={user?.email ?? null}
      baseUrl={reference.baseUrl}
      language={isSampleLanguage(language) ? language : 'curl'}
    >
      {/* The docs are in English for every reader: see ADR 32. */}
      <div lang="en" className="xl:grid xl:grid-cols-[13.5rem_minmax(0,1fr)] xl:gap-10">
        <ReferenceNav groups={createNavigation(reference, taskGuides(reference.urls))} />
        <div className="min-w-0">{children}</div>
      </div>
    </ReaderProvider>
  );
  return user ? page : <VisitorFrame>{page}</VisitorFrame>;
}
