import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { TaskGuideView } from '@/components/docs/guides/task-guide-view';
import { taskGuides } from '@/components/docs/guides/task-guides';
import { readReference } from '../../read-reference';

interface GuidePageProps {
  params: Promise<{ guide: string }>;
}

async function findGuide({ params }: GuidePageProps) {
  const [{ guide: slug }, { urls }] = await Promise.all([params, readReference()]);
  return taskGuides(urls).find(({ id }) => id === slug) ?? notFound();
}

export async function generateMetadata(props: GuidePageProps): Promise<Metadata> {
  return { title: `${(await findGuide(props)).title} · Guides` };
}

export default async function GuidePage(props: GuidePageProps) {
  return <TaskGuideView guide={await findGuide(props)} />;
}
