//! The inverse of a small symmetric matrix.

/// The inverse of the symmetric positive definite `matrix`, by Gauss-Jordan elimination with
/// pivoting (Golub and Van Loan, Matrix Computations, section 3.4); none when it is singular.
pub(super) fn invert<const SIZE: usize>(mut matrix: [[f64; SIZE]; SIZE]) -> Option<[[f64; SIZE]; SIZE]> {
    let mut inverse: [[f64; SIZE]; SIZE] =
        std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }));
    for column in 0..SIZE {
        let pivot = (column..SIZE).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        matrix[column].iter_mut().chain(&mut inverse[column]).for_each(|value| *value /= scale);
        let (pivot_row, pivot_inverse) = (matrix[column], inverse[column]);
        for row in (0..SIZE).filter(|&row| row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            inverse[row].iter_mut().zip(pivot_inverse).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]];
        let inverse = invert(matrix).unwrap();
        for (row, own) in matrix.iter().enumerate() {
            let product = |column: usize| -> f64 { own.iter().zip(&inverse).map(|(a, b)| a * b[column]).sum() };
            for column in 0..3 {
                assert!((product(column) - f64::from(u8::from(row == column))).abs() < 1e-12);
            }
        }
        assert_eq!(invert([[1.0, 1.0], [1.0, 1.0]]), None);
    }
}
