export interface Column {
  key: string;
  title?: string;
  align?: 'left' | 'right';
  limit?: number;
}

type Row = Record<string, unknown>;

const shorten = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;

const cellText = (row: Row, column: Column): string =>
  shorten(String(row[column.key] ?? ''), column.limit ?? Infinity);

function pad(text: string, width: number, align: Column['align']): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}

export function renderTable(rows: Row[], columns: Column[]): string[] {
  const titles = columns.map((column) => column.title ?? column.key);
  const body = rows.map((row) => columns.map((column) => cellText(row, column)));
  const widths = columns.map((_, i) =>
    Math.max(titles[i].length, ...body.map((cells) => cells[i].length)),
  );

  const line = (cells: string[]) =>
    cells
      .map((cell, i) => pad(cell, widths[i], columns[i].align))
      .join(' | ')
      .trimEnd();

  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  return [line(titles), rule, ...body.map(line)];
}
