/** A foreign key: rows of `table` reference rows of `referencedTable`, which must be inserted first. */
export interface TableReference {
  readonly table: string;
  readonly referencedTable: string;
}

/**
 * Sorts tables so that each one comes after the tables it references. Independent tables keep their order.
 * @throws Error if references form a cycle
 */
export function sortTablesByReferences(
  tables: readonly string[],
  references: readonly TableReference[],
): string[] {
  const orderedTables: string[] = [];
  let remainingTables = [...tables];
  while (remainingTables.length > 0) {
    const hasRemainingReference = (table: string) =>
      references.some(
        (reference) =>
          reference.table === table &&
          reference.referencedTable !== table &&
          remainingTables.includes(reference.referencedTable),
      );
    const nextTables = remainingTables.filter((table) => !hasRemainingReference(table));
    if (nextTables.length === 0)
      throw new Error(`tables reference each other in a cycle: ${remainingTables.join(', ')}`);
    orderedTables.push(...nextTables);
    remainingTables = remainingTables.filter((table) => !nextTables.includes(table));
  }
  return orderedTables;
}
