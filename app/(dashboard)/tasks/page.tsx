import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../require-user';
import { TasksView } from './tasks-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('tasks.tasksView');
  return { title: t('tasks') };
}

export default async function TasksPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/tasks', searchParams);
  return <TasksView />;
}
