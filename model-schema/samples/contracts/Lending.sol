// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken {
    function approve(address spender, uint256 value) external returns (bool);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IPool {
    function price() external view returns (uint256);
    function swap(bool buysBase, uint256 paid, uint256 wanted) external returns (uint256 received);
}

/// Lends quote tokens against base tokens at the price of a pool. A loan above `threshold` parts in 10,000 of its collateral may be
/// liquidated by anybody: all its collateral is sold to the pool, the debt is paid back, and what is left is the borrower's.
contract Lending {
    event Liquidated(address indexed borrower, uint256 collateral, uint256 received);

    error TooMuchDebt(uint256 debt, uint256 most);
    error Sound(address borrower);
    error LoanOpen(address borrower);

    struct Loan {
        uint256 collateral;
        uint256 debt;
    }

    IToken public immutable base;
    IToken public immutable quote;
    IPool public immutable pool;
    uint256 public immutable threshold;
    uint256 public liquidations;
    uint256 public badDebt;
    mapping(address => Loan) public loans;

    constructor(address base_, address quote_, address pool_, uint256 threshold_) {
        require(threshold_ <= 10_000, "threshold too high");
        base = IToken(base_);
        quote = IToken(quote_);
        pool = IPool(pool_);
        threshold = threshold_;
        base.approve(pool_, type(uint256).max);
    }

    /// Most debt that the collateral carries at the pool's price.
    function mostDebt(uint256 collateral) public view returns (uint256) {
        return collateral * pool.price() / 1e18 * threshold / 10_000;
    }

    function open(uint256 collateral, uint256 debt) external {
        if (loans[msg.sender].collateral > 0) revert LoanOpen(msg.sender);
        uint256 most = mostDebt(collateral);
        if (debt > most) revert TooMuchDebt(debt, most);
        loans[msg.sender] = Loan(collateral, debt);
        require(base.transferFrom(msg.sender, address(this), collateral));
        require(quote.transfer(msg.sender, debt));
    }

    function isUnsafe(address borrower) public view returns (bool) {
        Loan storage loan = loans[borrower];
        return loan.debt > mostDebt(loan.collateral);
    }

    function liquidate(address borrower) external {
        if (!isUnsafe(borrower)) revert Sound(borrower);
        Loan memory loan = loans[borrower];
        delete loans[borrower];
        liquidations += 1;
        uint256 received = pool.swap(false, loan.collateral, 0);
        if (received >= loan.debt) require(quote.transfer(borrower, received - loan.debt));
        else badDebt += loan.debt - received;
        emit Liquidated(borrower, loan.collateral, received);
    }
}
