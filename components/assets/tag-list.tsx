export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <span className="mt-0.5 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <span key={tag} className="bg-hover text-ink-2 max-w-40 truncate rounded-sm px-1.5 text-sm">
          {tag}
        </span>
      ))}
    </span>
  );
}
