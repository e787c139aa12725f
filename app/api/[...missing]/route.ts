/** Responds with 404 to unknown paths under `/api`. API clients would otherwise be redirected to the sign-in page. */
function missing(): Response {
  return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
}

export { missing as DELETE, missing as GET, missing as PATCH, missing as POST, missing as PUT };
