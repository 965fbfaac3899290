import { listed, type ReadHandler } from '@cds/service';
import { type Brands, presentBrand } from '../store/brands.js';
import type { BrandRow, Workspaces } from '../store/workspaces.js';

/** Brands with their workspaces, the oldest first. Source: docs/domain/operators.md#operators. */
export const opsBrandsList: ReadHandler<'ops_brands_list', { brands: Brands; workspaces: Workspaces }> = async (
  _ctx,
  input,
  { brands, workspaces },
) => {
  const { items, next } = await listed(input, {
    rows: (place, limit) => brands.page(input.status ?? null, place, limit),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: (brand: BrandRow) => brand,
  });

  const all = await workspaces.ofBrands(items.map(({ _id }) => _id));
  return {
    items: items.map((brand) =>
      presentBrand(
        brand,
        all.filter(({ brand_id }) => brand_id === brand._id),
      ),
    ),
    next,
  };
};
