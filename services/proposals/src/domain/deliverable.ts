/** A deliverable in words for the creator; the plan words it for the brand (docs/domain/plans.md#line-texts). */
export const toCreator = (deliverable: string): string =>
  deliverable
    .replace('of your launch post', 'of the brand’s launch post')
    .replace('of the post you name', 'of the post that the brand names');
