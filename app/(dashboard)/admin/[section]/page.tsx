import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { AccountsView } from '@/components/admin/accounts-view';
import { adminHref, adminSections, type AdminSection } from '@/components/admin/admin-sections';
import { InvitationsView } from '@/components/admin/invitations-view';
import { QueuesView, SettingsView, StorageView } from '@/components/admin/service-views';
import { NodesView } from '@/components/nodes/nodes-view';
import { getTranslations } from '@/app/messages';
import { nodesKey } from '@/lib/client/query-keys';
import { getSessionContext } from '@/lib/http/sessions/session-user';
import { listNodes } from '@/lib/domain/nodes';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { requireUser } from '../../require-user';

interface SectionProps {
  params: Promise<{ section: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const views: Readonly<Record<AdminSection, () => ReactNode | Promise<ReactNode>>> = {
  accounts: AccountsView,
  invitations: InvitationsView,
  nodes: NodesSection,
  queues: QueuesView,
  storage: StorageView,
  settings: SettingsView,
};

async function NodesSection() {
  const ctx = await getSessionContext();
  if (!ctx) notFound();
  return (
    <PrefetchedQueries entries={[[nodesKey, await listNodes(ctx)]]}>
      <NodesView />
    </PrefetchedQueries>
  );
}

const findSection = async ({ params }: SectionProps) => {
  const { section: sectionName } = await params;
  return adminSections.find((section) => section === sectionName);
};

export async function generateMetadata(props: SectionProps): Promise<Metadata> {
  const section = await findSection(props);
  const t = await getTranslations('admin');
  return { title: section ? t(`sections.${section}`) : t('admin') };
}

export default async function AdminSectionPage(props: SectionProps) {
  const section = await findSection(props);
  if (!section) notFound();
  const { operator } = await requireUser(adminHref(section), props.searchParams);
  if (!operator) notFound();
  const View = views[section];
  return <View />;
}
