import type { Metadata } from 'next';
import { requireUser } from '../require-user';
import { TasksView } from './tasks-view';

export const metadata: Metadata = { title: 'Tasks' };

export default async function TasksPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireUser('/tasks', searchParams);
  return <TasksView />;
}
