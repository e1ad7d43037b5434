// Refused: managed variables.
__managed__ int shared_by_both;
__global__ void k() { shared_by_both = 1; }
int main() { return shared_by_both; }
