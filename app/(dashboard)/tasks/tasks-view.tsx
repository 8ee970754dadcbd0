'use client';

import Link from 'next/link';
import { ListChecks, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { taskFilters, taskListQueryOf, taskListOptions, taskTypes } from '@/components/tasks/task-list';
import { TaskTable } from '@/components/tasks/task-table';
import { useTaskActions } from '@/components/tasks/use-task-actions';
import { Button } from '@/components/ui/button';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { EmptyState, emptyCell } from '@/components/ui/empty-state';
import { FilterChips } from '@/components/ui/form/chips';
import { Select } from '@/components/ui/form/field';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { ListContent } from '@/components/ui/table/list-content';
import { ALL_FILTER_VALUE, isEmptyList, hasActiveFilters } from '@/components/ui/table/list-state';
import { useListState } from '@/components/ui/table/use-list-state';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useAssetNames } from '@/lib/client/queries/asset-queries';
import { useTasks } from '@/lib/client/queries/task-queries';
import type { Task } from '@/lib/contract/tasks/task';

const assetIdOf = ({ outputAssetId, inputAssetId }: Task) => outputAssetId ?? inputAssetId;

interface AssetNameProps {
  id: string;
  /** Names of assets that are not deleted; undefined while loading. */
  names: ReadonlyMap<string, string> | undefined;
}

/** Link to an asset by name; a deleted asset shows the start of its id. */
function AssetName({ id, names }: AssetNameProps) {
  const t = useTranslations('tasks.tasksView');
  if (!names) return <Skeleton className="h-4 w-32" />;
  return (
    <Link
      href={`/assets/${id}`}
      // A list of a hundred rows would prefetch a hundred pages.
      prefetch={false}
      className="hover:text-accent-ink rounded-sm wrap-anywhere underline-offset-4 hover:underline"
    >
      {names.get(id) ?? (
        <span className="text-ink-2">
          {t.rich('deletedAsset', {
            id: id.slice(0, 8),
            code: (text) => <span className="font-mono text-sm">{text}</span>,
          })}
        </span>
      )}
    </Link>
  );
}

const REFRESH_INTERVAL_MS = 2000;

export function TasksView() {
  const t = useTranslations('tasks.tasksView');
  const urls = usePublicUrls();
  const copyValue = useCopyValue('task');
  const { state, updateListState, setFilter } = useListState(taskListOptions);
  const tasksQuery = useTasks(taskListQueryOf(state), { refetchInterval: REFRESH_INTERVAL_MS });
  const actions = useTaskActions();
  const page = tasksQuery.data;
  const assetNames = useAssetNames((page?.items ?? []).flatMap((task) => assetIdOf(task) ?? []));
  const isFiltered = hasActiveFilters(state);
  const isEmpty = isEmptyList(page, state);

  return (
    <>
      <PageHeader nav={<SiblingNav />} title={t('tasks')} description={t('description')} />
      {!(isEmpty && !isFiltered) && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
          <div className="min-w-0 max-sm:w-full">
            <FilterChips
              label={t('filterByState')}
              value={state.filters.status ?? ALL_FILTER_VALUE}
              options={taskFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
              onChange={(value) => setFilter('status', value)}
            />
          </div>
          <Select
            aria-label={t('type')}
            value={state.filters.type ?? ALL_FILTER_VALUE}
            onChange={(event) => setFilter('type', event.target.value)}
            className="h-8 w-auto text-sm"
          >
            {taskTypes.map((value) => (
              <option key={value} value={value}>
                {t(`types.${value}`)}
              </option>
            ))}
          </Select>
          {state.filters.task !== undefined && (
            <Button size="sm" onClick={() => setFilter('task', ALL_FILTER_VALUE)}>
              <X aria-hidden="true" />
              {t('only', { id: state.filters.task.slice(0, 8) })}
            </Button>
          )}
        </div>
      )}
      <ListContent
        query={tasksQuery}
        itemsLabel={t('theTasks')}
        state={state}
        formatCount={(count) => t('rowCount', { count })}
        onChange={updateListState}
        empty={
          isFiltered ? (
            <EmptyState
              title={t('noTaskMatches')}
              action={<Button onClick={() => updateListState({ filters: {} })}>{t('showAllTasks')}</Button>}
            >
              {t('tryOtherTypeOrStatus')}
            </EmptyState>
          ) : (
            <EmptyState title={t('noTasksYet')} icon={ListChecks}>
              {t('noTasksText')}
            </EmptyState>
          )
        }
      >
        <TaskTable
          tasks={page?.items}
          renderAsset={(task) => {
            const id = assetIdOf(task);
            return id === undefined ? emptyCell : <AssetName id={id} names={assetNames} />;
          }}
          onCopy={(kind, task) => void copyValue(kind, task, urls)}
          {...actions}
        />
      </ListContent>
    </>
  );
}
