// The health check of the image: exits with 0 if the server in this container is ready for requests.
const { PORT = '3000' } = process.env;
try {
  const { status } = await fetch(`http://127.0.0.1:${PORT}/api/health`, { signal: AbortSignal.timeout(4_000) });
  console.log(status);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  console.log(String(error));
  process.exitCode = 1;
}
