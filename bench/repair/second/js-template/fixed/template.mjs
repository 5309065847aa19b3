const FILTERS = {
  upper: (value) => String(value).toUpperCase(),
  trim: (value) => String(value).trim(),
  fixed: (value) => Number(value).toFixed(2),
};

function lookup(data, path) {
  return path.split('.').reduce((value, key) => (value == null ? undefined : value[key]), data);
}

function applyFilters(value, names) {
  return names.reduce((current, name) => {
    const filter = FILTERS[name];
    if (!filter) throw new Error(`unknown filter: ${name}`);
    return filter(current);
  }, value);
}

/**
 * Fills {{path}} and {{path | filter}} holes. A missing value becomes the
 * fallback text and passes through no filter.
 */
export function render(template, data, fallback = '') {
  return template.replace(/\{\{\s*([\w.]+)((?:\s*\|\s*\w+)*)\s*\}\}/g, (_, path, rest) => {
    const filters = rest.split('|').map((name) => name.trim()).filter(Boolean);
    const value = lookup(data, path);
    return value != null ? applyFilters(value, filters) : fallback;
  });
}

export function compile(template, fallback) {
  return (data) => render(template, data, fallback);
}
