/**
 * What a creator delivers, in words for the creator: the brand names a quoted post, in a launch its launch post
 * (docs/domain/plans.md#line-texts). The plan says it in words for the brand.
 */
export const toCreator = (deliverable: string): string =>
  deliverable
    .replace('of your launch post', 'of the brand’s launch post')
    .replace('of the post you name', 'of the post that the brand names');
